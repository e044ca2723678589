'use strict';

// `crypto` as the Node of Mobile Services had it: texts are bytes of one letter each, keys among them, and what is told of
// no digest is SHA-1. The tokens and passwords of its services depend on both, and later versions know neither.

const crypto = require('crypto');

/** A text without an encoding as its bytes. */
const bytesOf = (value, encoding) => (typeof value === 'string' && !encoding ? Buffer.from(value, 'latin1') : value);

/** Has `update` take texts as they were. */
function updating(object) {
  const { update } = object;
  object.update = (data, encoding, ...rest) => update.call(object, bytesOf(data, encoding), encoding, ...rest);
  return object;
}

/** The key and the first block that OpenSSL made of a password. */
function keyOf(algorithm, password) {
  const { keyLength, ivLength = 0 } = crypto.getCipherInfo(algorithm) ?? {};
  if (!keyLength) throw new Error(`Unknown cipher: ${algorithm}`);
  let whole = Buffer.alloc(0);
  for (let last = whole; whole.length < keyLength + ivLength;) {
    last = crypto.createHash('md5').update(Buffer.concat([last, bytesOf(password)])).digest();
    whole = Buffer.concat([whole, last]);
  }
  return [whole.subarray(0, keyLength), ivLength ? whole.subarray(keyLength, keyLength + ivLength) : null];
}

const own = {
  createHash: (algorithm, ...rest) => updating(crypto.createHash(algorithm, ...rest)),
  createHmac: (algorithm, key, ...rest) => updating(crypto.createHmac(algorithm, bytesOf(key), ...rest)),
  createSign: (...values) => updating(crypto.createSign(...values)),
  createVerify: (...values) => updating(crypto.createVerify(...values)),
  createCipher: (algorithm, password) => updating(crypto.createCipheriv(algorithm, ...keyOf(algorithm, password))),
  createDecipher: (algorithm, password) => updating(crypto.createDecipheriv(algorithm, ...keyOf(algorithm, password))),
  createCipheriv: (algorithm, key, iv, ...rest) => (
    updating(crypto.createCipheriv(algorithm, bytesOf(key), bytesOf(iv), ...rest))),
  createDecipheriv: (algorithm, key, iv, ...rest) => (
    updating(crypto.createDecipheriv(algorithm, bytesOf(key), bytesOf(iv), ...rest))),
  pbkdf2(password, salt, iterations, length, digest, done) {
    const [name, callback] = typeof digest === 'function' ? ['sha1', digest] : [digest ?? 'sha1', done];
    return crypto.pbkdf2(bytesOf(password), bytesOf(salt), iterations, length, name, callback);
  },
  pbkdf2Sync: (password, salt, iterations, length, digest = 'sha1') => (
    crypto.pbkdf2Sync(bytesOf(password), bytesOf(salt), iterations, length, digest)),
};

/** The module; whatever else it has is the one of this Node. */
module.exports = Object.create(crypto, Object.getOwnPropertyDescriptors(own));
