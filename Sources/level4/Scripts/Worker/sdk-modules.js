'use strict';

// The modules inside of the SDK that projects reach into by their paths.

const { createHmac, randomUUID, timingSafeEqual } = require('crypto');
const { sdkOf, queries, promises } = require('./azure-mobile-apps');
const { current } = require('./calls');
const { makePush } = require('./push');
const { keyOf } = require('./token-key');
const { logger } = require('./v2-context');

/** A token's part, as text and back. */
const packed = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const unpacked = (text) => JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));

/** The user of a token's claims. */
const userOf = (configuration, token, claims) => ({
  id: claims.sub, token, claims, getIdentity: () => Promise.reject(new Error('ask req.azureMobile.user for the identity')),
});

/** Who gives and takes a token where its configuration names nobody. */
const SERVICE = 'urn:microsoft:windows-azure:zumo';

/** `require('azure-mobile-apps/src/auth')(configuration.auth)`: tokens that the server takes, or of a project's own key. */
function authOf(configuration = {}) {
  const key = () => {
    const { secret } = configuration;
    const azureSigningKey = keyOf(configuration);
    if (azureSigningKey) return Buffer.from(azureSigningKey, 'hex');
    if (secret) return Buffer.from(secret);
    throw new Error('the server has no auth.signingKey, and takes no token: set it, and scripts can sign tokens');
  };
  const signatureOf = (text) => createHmac('sha256', key()).update(text).digest();
  return {
    async validate(token) {
      const asking = current()?.message.user;
      // The server has found it good; its own key is not told to scripts.
      if (asking?.token && asking.token === token) return userOf(configuration, token, unpacked(token.split('.')[1]));
      const [head, claims, signature] = String(token).split('.');
      const known = signatureOf(`${head}.${claims}`);
      const given = Buffer.from(signature ?? '', 'base64url');
      if (given.length !== known.length || !timingSafeEqual(given, known)) throw new Error('invalid signature');
      const read = unpacked(claims);
      if (unpacked(head).alg !== 'HS256') throw new Error('invalid algorithm');
      if (read.exp !== undefined && read.exp <= Date.now() / 1000) throw new Error('jwt expired');
      return userOf(configuration, token, read);
    },
    decode: (token) => userOf(configuration, token, unpacked(String(token).split('.')[1])),
    sign(claims) {
      const now = Math.floor(Date.now() / 1000);
      const { audience = SERVICE, issuer = SERVICE, expires = 1440 } = configuration;
      const whole = { iat: now, exp: now + 60 * expires, aud: audience, iss: issuer, ...claims };
      const text = `${packed({ alg: 'HS256', typ: 'JWT' })}.${packed(whole)}`;
      return `${text}.${signatureOf(text).toString('base64url')}`;
    },
  };
}

/** Whether whoever asks is known: what the server has found out before any script runs. */
const authorize = (req, res, next) => {
  if (req.azureMobile?.user) return next();
  return res.status(401).send('You must be logged in to use this application');
};

/** The user is found out by the server; a bad token has no user. */
const authenticate = () => (req, res, next) => next();

const strings = {
  convertFromBase64: (text) => Buffer.from(text, 'base64').toString('utf8'),
  convertToBase64: (text) => Buffer.from(text).toString('base64'),
  getVersionFromEtag: (etag) => etag?.replace(/^"|"$/g, '').replaceAll('\\"', '"'),
  getEtagFromVersion: (version) => (version === undefined ? undefined : `"${String(version).replaceAll('"', '\\"')}"`),
};

const marked = (mark) => (message) => Object.assign(new Error(message), { [mark]: true });
const errors = {
  badRequest: marked('badRequest'), concurrency: marked('concurrency'), duplicate: marked('duplicate'),
  notFound: marked('notFound'),
};

const assert = (condition, message) => {
  if (!condition) throw new Error(message);
};

/** `require('azure-mobile-apps/src/configuration')`: the settings that there are; files and environment are read already. */
function configurationModule(project) {
  const defaults = () => ({ ...project.configuration });
  const from = () => {
    let settings = {};
    const chain = { apply: () => settings };
    for (const name of ['file', 'environment', 'settingsJson', 'commandLine']) chain[name] = () => chain;
    chain.defaults = (given) => chain.object(defaults()).object(given);
    chain.object = (given) => {
      settings = { ...settings, ...given };
      return chain;
    };
    return chain;
  };
  return { defaults, from };
}

/** `require('azure-mobile-apps/src/notifications')(configuration)`: as `context.push` it sends nothing. */
function notificationsOf() {
  const client = makePush();
  return {
    getClient: () => client,
    putInstallation: (id, installation) => client.createOrUpdateInstallation({ ...installation, installationId: id }),
    deleteInstallation: (id) => client.deleteInstallation(id),
  };
}

/** All of them, by their paths below `azure-mobile-apps`. */
function modulesOf(project) {
  const sdk = sdkOf(project);
  return {
    '': sdk,
    express: sdk.express,
    query: queries,
    data: () => { throw new Error('the data provider is the server itself: use context.tables and context.data'); },
    auth: authOf,
    'auth/user': (configuration, token, claims) => userOf(configuration, token, claims),
    logger,
    log: logger,
    configuration: configurationModule(project),
    notifications: notificationsOf,
    table: sdk.table,
    'express/tables/table': sdk.table,
    'express/middleware/authenticate': authenticate,
    'express/middleware/authorize': authorize,
    'utilities/promises': promises,
    'utilities/strings': strings,
    'utilities/errors': errors,
    'utilities/assert': { argument: assert, value: assert },
    'utilities/uuid': randomUUID,
  };
}

module.exports = { modulesOf };
