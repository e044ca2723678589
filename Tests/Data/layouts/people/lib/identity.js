'use strict';

// Adds to the user what the login said.

module.exports = (req, res, next) => {
  const { user } = req.azureMobile;
  if (!user) return next();
  return user.getIdentity().then((identities) => {
    const [identity] = Object.values(identities);
    user.address = `${user.id}@${identity?.user_claims.find(({ typ }) => typ === 'sub').val ?? 'nowhere'}`;
    next();
  }).catch(next);
};
