'use strict';

// The key by which scripts sign tokens, as a part of `configuration.auth` that is in no answer or log line that shows all of it.

/** Marks settings, copies of them too, as those of a server that has a key. */
const KEYED = Symbol('keyed');

let known;

/** Gives settings the key, where they don't say another one themselves. */
function withKey(auth, key) {
  if ('azureSigningKey' in auth) return auth;
  known = key;
  auth[KEYED] = true;
  return Object.defineProperty(auth, 'azureSigningKey', { value: key, enumerable: false, writable: true, configurable: true });
}

/** The key of settings, or of a copy of them. */
const keyOf = (auth) => ('azureSigningKey' in auth ? auth.azureSigningKey : auth[KEYED] && known);

module.exports = { keyOf, withKey };
