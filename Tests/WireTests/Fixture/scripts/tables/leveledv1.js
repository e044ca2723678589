// The levels of the old portal, in the file beside.
function read(query, user, request) { request.execute(); }
