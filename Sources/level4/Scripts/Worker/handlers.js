'use strict';

// Handlers as Express has them, one behind the other, without a router.

/** Runs functions one after the other until one answers or doesn't go on; gives what the last one has left. */
function runThrough(handlers, req, res) {
  return new Promise((resolve) => {
    const step = (place, error) => {
      const handler = handlers[place];
      if (!handler || error === 'route' || error === 'router') {
        return resolve(error === 'route' || error === 'router' ? undefined : error);
      }
      let isOver = false;
      const next = (failure) => {
        if (isOver) return;
        isOver = true;
        step(place + 1, failure === null || failure === '' ? undefined : failure);
      };
      try {
        if ((handler.length === 4) !== (error !== undefined)) return next(error);
        const result = error !== undefined ? handler(error, req, res, next) : handler(req, res, next);
        if (typeof result?.then === 'function') {
          result.then(undefined, (failure) => next(failure ?? new Error('undefined was thrown')));
        }
      } catch (failure) {
        next(failure ?? new Error('undefined was thrown'));
      }
      return undefined;
    };
    step(0, undefined);
  });
}

module.exports = { runThrough };
