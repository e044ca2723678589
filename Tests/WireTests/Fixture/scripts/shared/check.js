// Rules that several scripts have, with a callback as it was done then.
exports.email = function (text, callback) {
    process.nextTick(function () {
        if (!text || text.indexOf('@') < 1) callback(new Error('That is no email address'));
        else callback(null, text.trim().toLowerCase());
    });
};
