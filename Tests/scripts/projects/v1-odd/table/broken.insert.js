function insert(item, user, request) {

    item.nothing.there = 1;
}
