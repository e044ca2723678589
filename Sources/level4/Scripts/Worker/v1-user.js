'use strict';

// Who asks, as scripts of Mobile Services know them.

const { callingBack } = require('./callbacks');

const LEVELS = { anonymous: 'anonymous', application: 'anonymous', user: 'authenticated', admin: 'admin' };

/** What logins are called in `getIdentities`, where tokens have other names for them. */
const PROVIDERS = { microsoftaccount: 'microsoft', windowslive: 'microsoft', live: 'microsoft' };

/** What the login said, by its provider; for nobody an empty one, as scripts look into it without asking. */
function identitiesOf(user) {
  if (!user?.id || !user.provider) return {};
  const identity = { userId: user.id, ...user.claims };
  const token = identity.accessToken ?? identity.access_token;
  if (token !== undefined) identity.accessToken = token;
  return { [PROVIDERS[user.provider.toLowerCase()] ?? user.provider]: identity };
}

function userOf({ user }) {
  const accessTokens = {};
  const identities = identitiesOf(user);
  for (const provider of Object.keys(identities)) {
    if (identities[provider].accessToken) accessTokens[provider] = identities[provider].accessToken;
  }
  const surface = {
    level: LEVELS[user?.level] ?? 'anonymous',
    userId: user?.id ?? undefined,
    /** By callbacks in the newer servers, by a function of Node's form or at once in the older ones. */
    getIdentities(callbacks) {
      const answer = identitiesOf(user);
      if (callbacks) callingBack(Promise.resolve(answer), callbacks);
      return answer;
    },
  };
  // Only the oldest had it; who writes a user as JSON writes no tokens.
  Object.defineProperty(surface, 'accessTokens', { value: accessTokens });
  return surface;
}

module.exports = { userOf };
