// Sets Electron's fuses in the packed app, after it was packed and before it is signed: a switch that is off cannot be turned on again
// by whoever starts the program. `electron-builder` calls the default export; test builds for Playwright leave out what it needs.
'use strict';
const path = require('node:path');

/** What the released program can and cannot be made to do, by the names of `FuseV1Options`. */
const FUSES = {
  RunAsNode: false,
  EnableCookieEncryption: true,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  GrantFileProtocolExtraPrivileges: false,
  WasmTrapHandlers: true,
};

/** Where the program is that carries the fuses. */
function programOf({ electronPlatformName, appOutDir, packager }) {
  const name = packager.appInfo.productFilename;
  if (electronPlatformName === 'darwin') return path.join(appOutDir, `${name}.app`);
  if (electronPlatformName === 'win32') return path.join(appOutDir, `${name}.exe`);
  return path.join(appOutDir, packager.executableName);
}

/** Without fuses Playwright can drive the program: such a build is never published. */
async function afterPack(context) {
  if (process.env.REVERIE_TEST_BUILD === '1') return;
  const { flipFuses, FuseV1Options, FuseVersion } = await import('@electron/fuses');
  const fuses = Object.fromEntries(Object.entries(FUSES).map(([name, isOn]) => [FuseV1Options[name], isOn]));
  await flipFuses(programOf(context), {
    version: FuseVersion.V1,
    // A fuse that a newer Electron brings has to be decided on, not passed over.
    strictlyRequireAllFuses: true,
    resetAdHocDarwinSignature: context.electronPlatformName === 'darwin',
    ...fuses,
  });
}

module.exports = { default: afterPack, FUSES };
