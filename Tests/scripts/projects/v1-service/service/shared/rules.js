exports.check = function (item) {
    if (typeof item.text !== 'string' || item.text.length < 3) return 'A note has at least three letters';
    if (item.text.length > 100) return 'A note is no book';
    return null;
};
