'use strict';

// A request and its response as Node's own HTTP server would hand them over, without a connection: whatever was written
// for Express runs on them.

const http = require('http');
const { Duplex } = require('stream');

class NoSocket extends Duplex {
  constructor(address) {
    super({ read() {}, write: (chunk, encoding, done) => done() });
    this.remoteAddress = address;
    this.encrypted = false;
  }

  setTimeout() {
    return this;
  }

  setKeepAlive() {}

  setNoDelay() {}
}

/** The parts that Node adds to no body: a response whose bytes are kept. */
function makeExchange({ method, url, headers, body, address }) {
  const socket = new NoSocket(address);
  const req = new http.IncomingMessage(socket);
  req.method = method;
  req.url = url;
  req.originalUrl = url;
  req.headers = { ...headers };
  req.rawHeaders = Object.entries(req.headers).flat();
  req.httpVersion = '1.1';
  if (body?.length) req.push(body);
  req.push(null);
  req.complete = true;

  const res = new http.ServerResponse(req);
  const chunks = [];
  let finish;
  const finished = new Promise((resolve) => { finish = resolve; });
  const keep = (chunk, encoding) => {
    if (chunk === undefined || chunk === null || typeof chunk === 'function') return;
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk, typeof encoding === 'string' ? encoding : 'utf8')
      : Buffer.from(chunk));
  };
  // What frames a message is the server's business.
  res.writeHead = (status, ...rest) => {
    res.statusCode = status;
    const fields = rest.find((value) => value && typeof value === 'object');
    if (Array.isArray(fields)) {
      for (let place = 0; place < fields.length; place += 2) res.setHeader(fields[place], fields[place + 1]);
    } else {
      for (const name of Object.keys(fields ?? {})) res.setHeader(name, fields[name]);
    }
    return res;
  };
  res.write = (chunk, encoding, done) => {
    keep(chunk, encoding);
    const after = typeof encoding === 'function' ? encoding : done;
    if (after) process.nextTick(after);
    return true;
  };
  res.flushHeaders = () => {};
  let isEnded = false;
  res.end = (chunk, encoding, done) => {
    if (isEnded) return res;
    isEnded = true;
    keep(chunk, encoding);
    const after = [chunk, encoding, done].find((value) => typeof value === 'function');
    if (after) process.nextTick(after);
    finish();
    process.nextTick(() => {
      res.emit('prefinish');
      res.emit('finish');
      res.emit('close');
    });
    return res;
  };
  Object.defineProperties(res, {
    headersSent: { get: () => isEnded, configurable: true },
    writableEnded: { get: () => isEnded, configurable: true },
    finished: { get: () => isEnded, configurable: true },
  });

  return {
    req,
    res,
    /** Fulfilled once the response is whole. */
    finished,
    get isFinished() {
      return isEnded;
    },
    get bytes() {
      return Buffer.concat(chunks);
    },
    /** The fields of the response, as pairs. */
    get headers() {
      return res.getRawHeaderNames().flatMap((name) => {
        const value = res.getHeader(name);
        return (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)]);
      });
    },
  };
}

module.exports = { makeExchange };
