module.exports = {
    greet: function (name) { return 'Hello ' + name; }
};
