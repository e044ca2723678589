'use strict';

// What requests and responses of Express 3 had beside what every API uses: the old servers' APIs were its handlers.

/** A cookie as a field of a response. */
function cookieText(name, value, options) {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new TypeError(`'${name}' is no name of a cookie`);
  const text = typeof value === 'object' ? `j:${JSON.stringify(value)}` : String(value);
  const parts = [`${name}=${(options.encode ?? encodeURIComponent)(text)}`];
  let { expires } = options;
  if (options.maxAge !== undefined && options.maxAge !== null) {
    // In milliseconds, which the field has not.
    expires = new Date(Date.now() + Number(options.maxAge));
    parts.push(`Max-Age=${Math.floor(Number(options.maxAge) / 1000)}`);
  }
  if (options.domain) parts.push(`Domain=${options.domain}`);
  parts.push(`Path=${options.path ?? '/'}`);
  if (expires) parts.push(`Expires=${new Date(expires).toUTCString()}`);
  if (options.httpOnly) parts.push('HttpOnly');
  if (options.secure) parts.push('Secure');
  if (options.sameSite) parts.push(`SameSite=${options.sameSite === true ? 'Strict' : options.sameSite}`);
  const cookie = parts.join('; ');
  if (/[\r\n]/.test(cookie)) throw new TypeError(`the cookie '${name}' has a line's end in it`);
  return cookie;
}

const TYPES = {
  html: 'text/html', text: 'text/plain', txt: 'text/plain', json: 'application/json', xml: 'application/xml',
  css: 'text/css', csv: 'text/csv', js: 'application/javascript', png: 'image/png', jpg: 'image/jpeg',
  jpeg: 'image/jpeg', gif: 'image/gif', pdf: 'application/pdf', zip: 'application/zip', bin: 'application/octet-stream',
};

/** The whole name of a type that may be a file's ending. */
function typeOf(name) {
  const type = String(name);
  if (type.includes('/')) return type;
  return TYPES[type.replace(/^.*\./, '').toLowerCase()] ?? TYPES.bin;
}

const responses = {
  cookie(name, value, options = {}) {
    if (options.signed) throw new Error('cookies are not signed here: there is no secret for them');
    return this.append('Set-Cookie', cookieText(name, value, options));
  },
  clearCookie(name, options) {
    return this.cookie(name, '', { path: '/', ...options, expires: new Date(1), maxAge: undefined });
  },
  header(name, value) {
    return this.set(name, value);
  },
  type(name) {
    const type = typeOf(name);
    const isText = !type.includes('charset') && /^text\/|javascript|json|xml/.test(type);
    return this.set('Content-Type', isText ? `${type}; charset=utf-8` : type);
  },
  contentType(name) {
    return this.type(name);
  },
  attachment(name) {
    if (name) this.type(name);
    const quoted = name && String(name).replace(/^.*[\\/]/, '').replace(/["\\\r\n]/g, '_');
    return this.set('Content-Disposition', quoted ? `attachment; filename="${quoted}"` : 'attachment');
  },
  links(links) {
    const list = Object.keys(links).map((name) => `<${links[name]}>; rel="${name}"`);
    return this.set('Link', [this.get('Link'), ...list].filter(Boolean).join(', '));
  },
  vary(field) {
    const before = String(this.get('Vary') ?? '').split(',').map((name) => name.trim()).filter(Boolean);
    const more = [field].flat().filter((name) => !before.some((each) => each.toLowerCase() === name.toLowerCase()));
    return this.set('Vary', [...before, ...more].join(', '));
  },
  /** Runs the function of the type that the client likes best. */
  format(choices) {
    const names = Object.keys(choices).filter((name) => name !== 'default');
    const name = this.req.accepts(names) || undefined;
    this.vary('Accept');
    if (name) this.type(name);
    const answer = name ? choices[name] : choices.default;
    if (answer) answer(this.req, this, () => {});
    else this.send(406, names.map(typeOf).join(', '));
    return this;
  },
};

/** What a field like `Accept` names, the most wanted first, without what is not wanted. */
function wanted(field) {
  return String(field ?? '').split(',').map((part) => {
    const [name, ...more] = part.trim().split(';');
    const quality = more.map((each) => /^\s*q=([\d.]+)$/.exec(each)?.[1]).find(Boolean);
    return { name: name.trim().toLowerCase(), quality: Number(quality ?? 1) };
  }).filter(({ name, quality }) => name && quality > 0).sort((a, b) => b.quality - a.quality);
}

/** The first of some names that a field asks for. */
function chosen(field, names, fits) {
  if (field === undefined) return names[0] ?? false;
  for (const { name } of wanted(field)) {
    const found = names.find((each) => fits(name, each.toLowerCase()));
    if (found) return found;
  }
  return false;
}

const accepts = (range, type) => range === '*/*' || range === type || (range.endsWith('/*')
  && type.startsWith(range.slice(0, -1)));

const isName = (range, name) => range === '*' || range === name || name.startsWith(`${range}-`);

const requests = {
  accepts(...names) {
    return chosen(this.headers.accept, names.flat().flatMap((each) => each.split(/ *, */)),
      (range, name) => accepts(range, typeOf(name)));
  },
  acceptsLanguage: function acceptsLanguage(...names) {
    return chosen(this.headers['accept-language'], names.flat(), isName);
  },
  acceptsCharset: function acceptsCharset(...names) {
    return chosen(this.headers['accept-charset'], names.flat(), isName);
  },
};
requests.acceptsLanguages = requests.acceptsLanguage;
requests.acceptsCharsets = requests.acceptsCharset;

/** Members that are worked out when somebody looks. */
const looked = {
  cookies() {
    const cookies = {};
    for (const pair of String(this.headers.cookie ?? '').split(/; */)) {
      const at = pair.indexOf('=');
      if (at < 1) continue;
      const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim().replace(/^"(.*)"$/, '$1')];
      if (Object.hasOwn(cookies, name)) continue;
      let text = value;
      try {
        text = decodeURIComponent(value);
        if (text.startsWith('j:')) text = JSON.parse(text.slice(2));
      } catch { /* It stays as it was sent. */ }
      Object.defineProperty(cookies, name, { value: text, enumerable: true, writable: true, configurable: true });
    }
    return cookies;
  },
  signedCookies: () => ({}),
  acceptedLanguages() {
    return wanted(this.headers['accept-language']).map(({ name }) => name);
  },
  host() {
    return String(this.headers.host ?? '').replace(/:\d+$/, '');
  },
  hostname() {
    return this.host;
  },
  ip() {
    return this.socket?.remoteAddress;
  },
  ips: () => [],
  xhr() {
    return String(this.headers['x-requested-with'] ?? '').toLowerCase() === 'xmlhttprequest';
  },
  fresh: () => false,
  stale: () => true,
};

/** Gives an exchange of an API of Mobile Services what it has not yet. */
function complete(req, res) {
  for (const name of Object.keys(requests)) req[name] ??= requests[name];
  for (const name of Object.keys(responses)) if (name === 'type' || !(name in res)) res[name] = responses[name];
  for (const name of Object.keys(looked)) {
    if (name in req) continue;
    let value;
    let isKnown = false;
    Object.defineProperty(req, name, {
      configurable: true,
      enumerable: true,
      get() {
        if (!isKnown) [value, isKnown] = [looked[name].call(req), true];
        return value;
      },
      set(other) { [value, isKnown] = [other, true]; },
    });
  }
}

module.exports = { complete, cookieText };
