'use strict';

// A request and its response as Node's own HTTP server would hand them over, without a connection: whatever was written
// for Node or for Express runs on them.

const http = require('http');
const { Duplex } = require('stream');

/** The other end of a response: it keeps what is written. */
class Wire extends Duplex {
  constructor(address, isSecured) {
    super({ read() {} });
    this.remoteAddress = address;
    this.encrypted = isSecured;
    this.pieces = [];
  }

  _write(piece, encoding, done) {
    this.pieces.push(piece);
    done();
  }

  setTimeout() {
    return this;
  }

  setKeepAlive() {}

  setNoDelay() {}
}

/** Header fields as pairs, out of their lines. */
const pairsOf = (fields = '') => fields.split('\r\n').filter(Boolean).map((line) => {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
});

/**
 * @param {string} [fields] as they came, line by line
 * @param {Buffer} [body] the bytes
 */
function makeExchange({ method, url, fields, body, address, isSecured = false }) {
  const wire = new Wire(address, isSecured);
  const req = new http.IncomingMessage(wire);
  req.method = method;
  req.url = url;
  req.originalUrl = url;
  req.httpVersion = '1.1';
  req.httpVersionMajor = 1;
  req.httpVersionMinor = 1;
  // The length is that of the bytes that are here, which may have come in another coding.
  const raw = pairsOf(fields)
    .flatMap(([name, value]) => [name, name.toLowerCase() === 'content-length' ? String(body?.length ?? 0) : value]);
  // Which fields may come twice, and how they are joined then, Node knows.
  req._addHeaderLines(raw, raw.length);
  req.rawHeaders = raw;
  if (body?.length) req.push(body);
  req.push(null);
  req.complete = true;

  // The server leaves out what is no answer to HEAD; by then it knows how long it would be.
  if (method === 'HEAD') req.method = 'GET';
  const res = new http.ServerResponse(req);
  req.method = method;
  // What frames a message is the server's business.
  res.sendDate = false;
  Object.defineProperty(res, 'chunkedEncoding', { get: () => false, set() {} });
  // Kept at once: who has ended a response has answered, even where its writing is yet to be told.
  const finished = new Promise((resolve) => {
    res.once('finish', resolve);
    res.once('close', resolve);
  });
  // Who writes behind the end has answered: what was said first counts.
  res.on('error', (error) => console.warn(`behind the answer: ${error.message}`));
  res.assignSocket(wire);
  return new Exchange(req, res, finished, wire);
}

/** A request with its response. */
class Exchange {
  /** @param finished is fulfilled once the response is whole */
  constructor(req, res, finished, wire) {
    this.req = req;
    this.res = res;
    this.finished = finished;
    this.wire = wire;
  }

  get isFinished() {
    return this.res.writableEnded;
  }

  get bytes() {
    return Buffer.concat(this.wire.pieces).subarray(Buffer.byteLength(this.res._header ?? '', 'latin1'));
  }

  /** The fields of the response, as pairs, without those that frame it. */
  get headers() {
    const head = this.res._header ?? '';
    return pairsOf(head.slice(head.indexOf('\n') + 1)).filter(([name]) => !FRAMING.has(name.toLowerCase()));
  }
}

/**
 * An exchange that is made when somebody wants to see it: most scripts look at their query and their user alone, and all
 * that Node gives a request costs more than they do.
 */
class LazyExchange {
  /** @param {(exchange: LazyExchange) => Exchange} make */
  constructor(make) {
    this.make = make;
    this.made = undefined;
    this.waiting = undefined;
    this.finish = undefined;
    this.context = undefined;
    /** What the request has as its body. */
    this.body = undefined;
  }

  get whole() {
    if (!this.made) {
      this.made = this.make(this);
      if (this.finish) this.made.finished.then(this.finish);
    }
    return this.made;
  }

  get finished() {
    if (this.made) return this.made.finished;
    this.waiting ??= new Promise((resolve) => { this.finish = resolve; });
    return this.waiting;
  }

  get isMade() { return this.made !== undefined; }
  get isFinished() { return this.made?.isFinished ?? false; }
  get req() { return this.whole.req; }
  get res() { return this.whole.res; }
  get bytes() { return this.whole.bytes; }
  get headers() { return this.whole.headers; }
}

const FRAMING = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive', 'date', 'trailer', 'upgrade']);

/** What was answered, in the words of the protocol with the server. */
function answerOf(exchange) {
  return {
    kind: 'http', status: exchange.res.statusCode, headers: exchange.headers, body: exchange.bytes.toString('base64'),
  };
}

module.exports = { LazyExchange, makeExchange, answerOf, pairsOf };
