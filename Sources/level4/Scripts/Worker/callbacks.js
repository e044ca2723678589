'use strict';

// How scripts of Mobile Services learn what became of something: by callbacks, whose errors are their script's.

const { current } = require('./calls');

/** Ends a call as broken, where a callback that it waits for has thrown. */
function broke(call, error) {
  if (!call?.broke) throw error;
  call.broke(error);
}

/** Runs a callback of a script's. */
function guarded(call, body) {
  try {
    const value = body();
    // What tables give tells of its failures by itself; sloppy scripts return it.
    const isPromise = typeof value?.then === 'function' && !(value instanceof Watched);
    if (isPromise) value.then(undefined, (error) => broke(call, error));
    return value;
  } catch (error) {
    broke(call, error);
    return undefined;
  }
}

/** A function that runs another one as a callback of the call that is under way now. */
function guarding(body) {
  const call = current();
  if (typeof body !== 'function' || !call) return body;
  return function (...values) {
    return guarded(call, () => body.apply(this, values));
  };
}

/**
 * What a script has no function for, as its own failure: the old servers answered 500, whatever it was, and the log has
 * the place where the script asked for it.
 */
function unheard(error, place) {
  const message = String(error?.message ?? error);
  const failure = new Error(message);
  failure.stack = `${message}\n${String(place.stack).split('\n').slice(1).join('\n')}`;
  return failure;
}

/** A promise that knows whether somebody waits for it. */
class Watched extends Promise {
  static get [Symbol.species]() {
    return Promise;
  }

  then(done, failed) {
    this.isWatched = true;
    return super.then(done, failed);
  }
}

/**
 * Tells callbacks what became of a promise: `{ success, error, conflict }`, or a function of Node's form.
 * As on the old servers, an error that a script has no function for ends its request; so does what a function throws.
 * @returns {Promise<unknown>} for scripts that would rather wait
 */
function callingBack(promise, callbacks) {
  const call = current();
  const isNodes = typeof callbacks === 'function';
  const place = {};
  Error.captureStackTrace(place, callingBack);
  const result = new Watched((resolve, reject) => { promise.then(resolve, reject); });
  // Nobody has to wait.
  Promise.prototype.then.call(result, undefined, () => {});
  promise.then(
    (value) => guarded(call, () => (isNodes ? callbacks(null, value) : callbacks?.success?.(value))),
    (error) => {
      if (isNodes) return guarded(call, () => callbacks(error));
      if (error?.concurrency && error.item && callbacks?.conflict) {
        return guarded(call, () => callbacks.conflict(error.item));
      }
      if (callbacks?.error) return guarded(call, () => callbacks.error(error));
      // `await` is known as such only a moment later.
      return setImmediate(() => { if (!result.isWatched) broke(call, unheard(error, place)); });
    },
  );
  return result;
}

module.exports = { broke, callingBack, guarded, guarding };
