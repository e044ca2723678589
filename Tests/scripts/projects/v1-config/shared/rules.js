exports.ownerOf = function (user) { return user.userId || 'nobody'; };
