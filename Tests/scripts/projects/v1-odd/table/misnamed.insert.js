function Insert(item, user, request) { request.execute(); }
