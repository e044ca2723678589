// Sloppy code: names that nobody declared, and octal numbers.
kept = [];
function insert(item, user, request) {
    total = 010;
    for (name in item) kept.push(name);
    item.names = kept.length;
    item.total = total;
    undeclared = 'leaked';
    item.other = typeof neverGiven;
    request.execute();
}
