#!/usr/bin/env node
// Plain enough for any Node to parse: it runs the program on a Node that can, or says what is missing.
'use strict';

var NEEDED = [22, 18];

function isNewEnough(version) {
  var parts = version.replace(/^v/, '').split('.').map(Number);
  return parts[0] > NEEDED[0] || (parts[0] === NEEDED[0] && parts[1] >= NEEDED[1]);
}

function pinnedNode() {
  var path = require('path');
  var fs = require('fs');
  try {
    var folder = path.dirname(require.resolve('node/package.json'));
    var file = path.join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return fs.existsSync(file) ? file : undefined;
  } catch (missing) {
    return undefined;
  }
}

function runOn(node) {
  var spawn = require('child_process').spawn;
  var child = spawn(node, [__filename].concat(process.argv.slice(2)), { stdio: 'inherit' });
  ['SIGTERM', 'SIGINT', 'SIGHUP'].forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child.on('error', function (cause) {
    process.stderr.write('Reverie cannot run ' + node + ': ' + cause.message + '\n');
    process.exit(1);
  });
  child.on('exit', function (code, signal) {
    process.exit(signal ? 1 : code);
  });
}

/** The words behind a command, wherever the home is named: agents are told to call `reverie --home FOLDER hook …`. */
function wordsBehind(command, args) {
  var at = 0;
  while (/^--home(=|$)/.test(args[at] || '')) at += args[at] === '--home' ? 2 : 1;
  return args[at] === command ? args.slice(at + 1).concat(args.slice(0, at)) : undefined;
}

var isHelp = process.argv.indexOf('--help') > 0 || process.argv.indexOf('-h') > 0;
var hook = isHelp ? undefined : wordsBehind('hook', process.argv.slice(2));
var line = isHelp ? undefined : wordsBehind('statusline', process.argv.slice(2));
if (line) {
  require('./hook.cjs').runStatusline(line, process.env);
} else if (hook) {
  // An agent waits for it, so it takes this Node as it is, and nothing else of the program.
  require('./hook.cjs').runHook(hook, process.env);
} else if (isNewEnough(process.version)) {
  require('module').enableCompileCache && require('module').enableCompileCache();
  var start = process.argv.length === 3 && process.argv[2] === 'start';
  // The daemon alone loads faster without the rest of the command line.
  var program = start ? import('../src/run.ts') : import('../src/cli/main.ts');
  program
    .then(function (loaded) {
      return start ? loaded.runDaemon({ env: process.env, flags: {} }) : loaded.main(process.argv);
    })
    .catch(function (cause) {
      process.stderr.write(String((cause && cause.stack) || cause) + '\n');
      process.exit(1);
    });
} else {
  var node = pinnedNode();
  if (node) runOn(node);
  else {
    process.stderr.write(
      'Reverie needs Node ' +
        NEEDED.join('.') +
        ' or newer; this is ' +
        process.version +
        '. Install one from https://nodejs.org\n',
    );
    process.exit(1);
  }
}
