// `reverie hook EVENT --agent NAME` and `reverie statusline`, apart from the rest of the command line: an agent waits for them at every
// prompt, so this loads nothing but Node's own modules, on any Node. It always ends with 0; what goes wrong with a hook is a line in the
// home's logs/hooks.log.
'use strict';

var fs = require('fs');
var path = require('path');

var GIVE_UP_MS = 1000;
var MOST_INPUT = 1024 * 1024;
var MOST_ANSWER = 256 * 1024;
var MOST_LOG = 256 * 1024;

/** Reads the words behind `reverie hook`: an event, and options with their values; a status line has no event, and one agent. */
function wordsOf(args, isLine) {
  var words = { event: undefined, agent: undefined, namespace: undefined, home: undefined };
  if (isLine) words = { event: 'statusline', agent: 'claude-code', namespace: undefined, home: undefined };
  for (var at = 0; at < args.length; at += 1) {
    var parts = /^--(agent|namespace|home)(?:=([^]*))?$/.exec(args[at]);
    if (parts) words[parts[1]] = parts[2] === undefined ? args[(at += 1)] : parts[2];
    else if (words.event === undefined && !/^-/.test(args[at])) words.event = args[at];
    else throw new Error('an option that is not known; see reverie hook --help');
  }
  if (!words.event || !words.agent) throw new Error('usage: reverie hook EVENT --agent NAME');
  return words;
}

/** The folder that `--home` names, also among words that are wrong: the log of that home says so. */
function homeIn(args) {
  for (var at = 0; at < args.length; at += 1) {
    if (args[at] === '--home') return args[at + 1];
    if (/^--home=/.test(args[at])) return args[at].slice(7);
  }
  return undefined;
}

/** The same folder as `homeFolder` of platform/home/home.ts. */
function homeOf(chosen, env) {
  var folder = chosen || env.REVERIE_HOME;
  if (folder) return Promise.resolve(path.resolve(folder));
  return import('env-paths').then(function (module) {
    return module.default('reverie', { suffix: '' }).data;
  });
}

/** A file of the home that only its user can read, or undefined where there is none. */
function privateText(file) {
  var mode;
  try {
    mode = fs.statSync(file).mode;
  } catch (cause) {
    if (cause.code === 'ENOENT') return undefined;
    throw cause;
  }
  if (process.platform !== 'win32' && (mode & 63) !== 0)
    throw new Error('other users can read ' + path.basename(file) + '; run chmod 600 on it');
  return fs.readFileSync(file, 'utf8').trim();
}

function daemonOf(home) {
  var text = privateText(path.join(home, 'daemon.json'));
  var daemon = text === undefined ? undefined : JSON.parse(text);
  if (!daemon || typeof daemon.origin !== 'string' || typeof daemon.nonce !== 'string')
    throw new Error('Reverie is not running');
  var url = new URL(daemon.origin);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return { url: url, nonce: daemon.nonce, known: daemon.known };
}

/** What an owner's own certificate is checked with. */
function certificateOf(home, env) {
  var file = env.REVERIE_TLS_CERT;
  var config = path.join(home, 'config.json');
  if (!file && fs.existsSync(config)) {
    var settings = JSON.parse(fs.readFileSync(config, 'utf8'));
    file = settings['tls.cert'] || (settings.tls && settings.tls.cert);
  }
  if (!file) return {};
  return { ca: require('tls').rootCertificates.concat(fs.readFileSync(path.resolve(file), 'utf8')) };
}

/** One request and its JSON answer. */
function asked(world, options, body) {
  return new Promise(function (resolve, reject) {
    var request = world.http.request(
      Object.assign(
        {
          protocol: world.url.protocol,
          hostname: world.url.hostname.replace(/^\[|\]$/g, ''),
          port: world.url.port,
          agent: world.agent,
        },
        world.tls,
        options,
      ),
      function (response) {
        var pieces = [];
        var size = 0;
        response.on('data', function (piece) {
          size += piece.length;
          if (size > MOST_ANSWER) return void request.destroy(new Error('its answer is too long'));
          pieces.push(piece);
        });
        response.on('error', reject);
        response.on('end', function () {
          if (response.statusCode !== 200) return reject(new Error('it answered ' + response.statusCode));
          try {
            resolve(JSON.parse(Buffer.concat(pieces).toString('utf8')));
          } catch (cause) {
            reject(new Error('its answer is not JSON'));
          }
        });
      },
    );
    request.on('error', function (cause) {
      reject(cause.code === 'ECONNREFUSED' ? new Error('Reverie is not running') : cause);
    });
    request.end(body);
  });
}

function proofOf(world, challenge) {
  return asked(world, { method: 'GET', path: '/v1/identity?challenge=' + challenge }).then(function (answer) {
    return String(answer && answer.proof);
  });
}

/**
 * Proves that the daemon can read the owner key, before any key goes to its port: after a crash another program may listen there. It wrote
 * an answer down that no other program can give, for what makes one takes a quarter of a hook's time to load.
 */
function proved(world, ownerKey, daemon) {
  var known = daemon.known;
  if (!known || !/^[0-9a-f]{64}$/.test(known.challenge) || !/^[0-9a-f]{64}$/.test(known.proof))
    return provedAnew(world, ownerKey, daemon.nonce);
  return proofOf(world, known.challenge).then(function (proof) {
    // The owner key may be another one since.
    if (proof !== known.proof) return provedAnew(world, ownerKey, daemon.nonce);
  });
}

function provedAnew(world, ownerKey, nonce) {
  var crypto = require('crypto');
  var challenge = crypto.randomBytes(32).toString('hex');
  return proofOf(world, challenge).then(function (proof) {
    var expected = crypto
      .createHmac('sha256', ownerKey)
      .update(nonce + '.' + challenge)
      .digest();
    var given = Buffer.from(proof, 'hex');
    if (given.length !== expected.length || !crypto.timingSafeEqual(given, expected))
      throw new Error('another program answers where Reverie ran last; no key was sent to it');
  });
}

/** Bytes as text, without a mark at its start: UTF-16 where the mark says so, as tools of Windows write it, else UTF-8. */
function textOf(bytes) {
  var text;
  if (bytes[0] === 255 && bytes[1] === 254) text = bytes.toString('utf16le');
  else if (bytes[0] === 254 && bytes[1] === 255)
    text = Buffer.from(bytes.slice(0, bytes.length - (bytes.length % 2)))
      .swap16()
      .toString('utf16le');
  else text = bytes.toString('utf8');
  return text.replace(/^\ufeff+/, '');
}

/** All of standard input. What is too long is read on, and dropped: who writes it would fail otherwise. */
function inputOf(stdin) {
  if (stdin.isTTY) return Promise.resolve('');
  return new Promise(function (resolve, reject) {
    var pieces = [];
    var size = 0;
    stdin.on('data', function (piece) {
      size += piece.length;
      if (size <= MOST_INPUT) pieces.push(piece);
      else pieces = [];
    });
    stdin.on('error', reject);
    stdin.on('end', function () {
      if (size > MOST_INPUT) return reject(new Error('the input has more than 1 MiB'));
      resolve(textOf(Buffer.concat(pieces)));
    });
  });
}

/** One line in the log of the home, where there is a home: why nothing was printed, and nothing of what was said. */
function note(home, words, why) {
  if (home === undefined || !fs.existsSync(home)) return;
  var folder = path.join(home, 'logs');
  var file = path.join(folder, 'hooks.log');
  fs.mkdirSync(folder, { recursive: true, mode: 448 });
  if (fs.existsSync(file) && fs.statSync(file).size > MOST_LOG) fs.renameSync(file, file + '.1');
  var called = [words.event, words.agent].map(function (word) {
    return String(word)
      .replace(/[^a-z-]/g, '?')
      .slice(0, 20);
  });
  var reason = why.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, 200);
  var line = new Date().toISOString() + ' ' + called.join(' ') + ': ' + reason + '\n';
  fs.appendFileSync(file, line, { mode: 384 });
}

/** Runs a hook to its end, which is always 0. */
function runHook(args, env) {
  run(args, env, false);
}

/** Prints the status line, or an empty one where there is nothing to say; its end is always 0, too. */
function runStatusline(args, env) {
  run(args, env, true);
}

function run(args, env, isLine) {
  // Reverie asks this agent as a model: what is told here would be an answer of its own.
  if (env.REVERIE_INSIDE_MODEL) return process.exit(0);
  var home;
  var words = {};
  var isOver = false;
  function end(why, output) {
    if (isOver) return;
    isOver = true;
    if (isLine) output = String(output || '').split('\n')[0] + '\n';
    try {
      // A line is drawn every few moments: why there is none is not worth a log.
      if (why && !isLine) note(home, words, why);
    } catch (cause) {
      // A log that cannot be written must not stop an agent. Agents show this to nobody who does not look.
      process.stderr.write('reverie hook: the log cannot be written: ' + cause.code + '\n');
    }
    if (!output) process.exit(0);
    process.stdout.on('error', function () {
      process.exit(0);
    });
    process.stdout.write(output, function () {
      process.exit(0);
    });
  }
  setTimeout(
    end,
    Math.max(1, GIVE_UP_MS - process.uptime() * 1000),
    'no answer within ' + GIVE_UP_MS + ' ms',
  );
  process.on('uncaughtException', function (cause) {
    end(String(cause && cause.message));
  });
  Promise.resolve()
    .then(function () {
      return homeOf(homeIn(args), env);
    })
    .then(function (folder) {
      home = folder;
      words = wordsOf(args, isLine);
      var input = inputOf(process.stdin);
      // It is waited for further down; until then nobody listens for its failure.
      input.catch(function () {});
      var daemon = daemonOf(home);
      var ownerKey = privateText(path.join(home, 'owner-key'));
      var own = /^[a-z-]+$/.test(words.agent) ? privateText(path.join(home, 'keys', words.agent)) : undefined;
      var key = own || privateText(path.join(home, 'api-key'));
      if (!ownerKey || !key) throw new Error('there is no key in the home');
      var isSafe = daemon.url.protocol === 'https:';
      var http = require(isSafe ? 'https' : 'http');
      var world = {
        http: http,
        url: daemon.url,
        agent: new http.Agent({ keepAlive: true }),
        tls: isSafe ? certificateOf(home, env) : {},
      };
      return Promise.all([input, proved(world, ownerKey, daemon)]).then(function (both) {
        var call = isLine ? { input: both[0] } : { agent: words.agent, event: words.event, input: both[0] };
        call.cwd = env.CURSOR_PROJECT_DIR || env.CLAUDE_PROJECT_DIR || process.cwd();
        if (words.namespace !== undefined) call.namespace = words.namespace;
        var body = Buffer.from(JSON.stringify(call));
        var headers = {
          Authorization: 'Bearer ' + key,
          'Content-Type': 'application/json',
          'Content-Length': body.length,
        };
        return asked(
          world,
          { method: 'POST', path: isLine ? '/v1/agents/statusline' : '/v1/agents/hooks', headers: headers },
          body,
        );
      });
    })
    .then(function (answer) {
      var output = answer && typeof answer.output === 'string' ? answer.output : '';
      end(output ? undefined : String((answer && answer.why) || 'nothing to say'), output);
    })
    .catch(function (cause) {
      end(String(cause && cause.message));
    });
}

exports.runHook = runHook;
exports.runStatusline = runStatusline;
exports.textOf = textOf;
