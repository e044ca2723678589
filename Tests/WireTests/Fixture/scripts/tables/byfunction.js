// Conditions as functions: dates, texts, numbers, one of several.
var table = require('azure-mobile-apps').table();
table.columns = { name: 'string', age: 'number', born: 'date', member: 'boolean' };

table.read(function (context) {
    var asked = context.req.query;
    if (asked.letter) {
        context.query.where(function (letter) {
            return this.name.toLowerCase().indexOf(letter) === 0;
        }, asked.letter);
    }
    if (asked.names) {
        context.query.where(function (names) { return names.indexOf(this.name) !== -1; }, asked.names.split(','));
    }
    if (asked.year) {
        context.query.where(function (year) { return this.born.getFullYear() === year; }, Number(asked.year));
    }
    if (asked.older) {
        context.query.where(function (age) {
            return (this.age > age || this.age === null) && !(this.member === false);
        }, Number(asked.older));
    }
    if (asked.short) {
        context.query.where(function (length) { return this.name.length <= length && this.age % 2 == 0; }, +asked.short);
    }
    return context.execute();
});

module.exports = table;
