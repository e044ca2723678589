'use strict';

// What Express 3 had on requests and responses and later ones have not, or have otherwise: APIs of the old servers were
// its handlers.

/** The status and the body of an answer: the status may come first, or last, and as text out of a query. */
function answerOf(name, first, second) {
  const isLast = typeof second === 'number' && typeof first !== 'number';
  const [status, body] = isLast ? [second, first] : [first, second];
  if (!/^[1-5]\d\d$/.test(status)) throw new Error(`${name} takes a status and a body, not ${JSON.stringify(status)}`);
  return { status: Number(status), body };
}

function completeResponse(res) {
  for (const name of ['send', 'json', 'jsonp']) {
    const write = res[name];
    res[name] = (...values) => {
      const isStatus = name === 'send' && typeof values[0] === 'number';
      if (values.length < 2) return isStatus ? res.sendStatus(values[0]) : write.apply(res, values);
      const { status, body } = answerOf(name, ...values);
      res.status(status);
      return body === undefined ? res.end() : write.call(res, body);
    };
  }
}

/** The cookies of a request; those of one name as the first has them. */
function cookiesOf(text = '') {
  const cookies = {};
  for (const pair of text.split(/; */)) {
    const at = pair.indexOf('=');
    if (at < 1) continue;
    const [name, sent] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim().replace(/^"(.*)"$/, '$1')];
    if (Object.hasOwn(cookies, name)) continue;
    let value = sent;
    try {
      value = decodeURIComponent(sent);
      if (value.startsWith('j:')) value = JSON.parse(value.slice(2));
    } catch { /* It stays as it was sent. */ }
    Object.defineProperty(cookies, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return cookies;
}

function completeRequest(req) {
  const members = {
    path: req.originalUrl.split('?')[0],
    host: String(req.headers.host ?? '').replace(/:\d+$/, ''),
    cookies: cookiesOf(req.headers.cookie),
    signedCookies: {},
    acceptedLanguages: req.acceptsLanguages(),
    acceptedCharsets: req.acceptsCharsets(),
    acceptsLanguage: (...names) => req.acceptsLanguages(...names),
    acceptsCharset: (...names) => req.acceptsCharsets(...names),
    param: (name) => req.params?.[name] ?? req.body?.[name] ?? req.query[name],
  };
  const { accepts } = req;
  // Several in one text, too.
  members.accepts = (...names) => accepts.apply(req, names.flat().flatMap((each) => each.split(/ *, */)));
  for (const name of Object.keys(members)) {
    Object.defineProperty(req, name, { value: members[name], writable: true, enumerable: true, configurable: true });
  }
}

/** Gives an exchange of an API of Mobile Services what it has not yet. */
function complete(req, res) {
  completeRequest(req);
  completeResponse(res);
}

module.exports = { complete };
