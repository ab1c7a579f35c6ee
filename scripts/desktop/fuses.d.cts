/** Which of Electron's fuses are on in the released app, by the names of `FuseV1Options`. */
export const FUSES: Readonly<Record<string, boolean>>;
