import ZumodServer

try await Server(extensions: ownedItemExtensions()).run()
