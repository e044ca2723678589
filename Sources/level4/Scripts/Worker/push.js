'use strict';

// Push messages: whatever a script sends is handed to the server, by whichever of the old clients' methods.

const { current } = require('./calls');
const { callingBack } = require('./callbacks');
const { errorOf } = require('./execution');

const isFunction = (value) => typeof value === 'function';

/** The callbacks among the values, and the rest: options may stand in the same object as `success` and `error`. */
function split(values) {
  const isCallbacks = (value) => value && (isFunction(value.success) || isFunction(value.error));
  const callbacks = values.find(isFunction) ?? values.find(isCallbacks);
  const rest = [];
  for (const value of values) {
    if (isFunction(value)) continue;
    if (!isCallbacks(value)) {
      rest.push(value);
      continue;
    }
    const { success, error, ...options } = value;
    if (Object.keys(options).length > 0) rest.push(options);
  }
  return { callbacks, rest };
}

/** An object whose every method sends: `push.gcm.send(tags, payload, callbacks)`, `push.send(…)`. */
function makePush(call) {
  const send = (service, method, values) => {
    const { callbacks, rest } = split(values);
    const running = current() ?? call;
    if (!running) throw new Error('push works while a request is answered or a job runs');
    const sent = running.ask({ do: 'push', service, message: { method, arguments: rest } })
      .then((reply) => reply.result, (error) => { throw errorOf(error); });
    return callingBack(sent, callbacks);
  };
  const methods = (service, inner) => new Proxy(inner, {
    get(target, name) {
      if (name in target || typeof name === 'symbol' || name === 'then' || name === 'toJSON') return target[name];
      return (...values) => send(service, name, values);
    },
  });
  const services = {};
  // Which devices are gone: Apple told of those that had not taken a message, and none is sent.
  const apns = { getFeedback: (callbacks) => callingBack(Promise.resolve([]), callbacks) };
  for (const service of ['gcm', 'apns', 'wns', 'mpns', 'adm', 'baidu']) {
    services[service] = methods(service, service === 'apns' ? apns : {});
  }
  return methods('hub', services);
}

module.exports = { makePush };
