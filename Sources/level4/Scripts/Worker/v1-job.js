'use strict';

// A job of Mobile Services: a function that is done when nothing that it began is under way any more.

const { failureOf } = require('./answers');

const PAUSE = 50; // milliseconds
const QUIET = 3; // looks in a row that have to find nothing

/** What shows that something still waits for the network or the disk: the module `request`, say. */
const WAITING = /^(?:TCP|TLS|GetAddrInfo|GetNameInfo|QueryReq|ConnectWrap|FSReq|Zlib|Process)/;

/** How much is waited for in the whole process. */
const waiting = () => process.getActiveResourcesInfo().filter((kind) => WAITING.test(kind)).length;

function run(call, body, project) {
  return new Promise((resolve) => {
    const failed = (error) => resolve(failureOf(error, call, project.root));
    call.broke = failed;
    const before = waiting();
    Promise.resolve().then(body).then(async () => {
      for (let quiet = 0; quiet < QUIET;) {
        await new Promise((done) => { setTimeout(done, PAUSE); });
        const isBusy = call.asks.size > 0 || call.timers?.size > 0 || waiting() > before;
        quiet = isBusy ? 0 : quiet + 1;
      }
      resolve({ kind: 'value', status: 200 });
    }, failed);
  });
}

module.exports = { run };
