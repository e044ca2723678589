import ZumodServer

try await Server(extensions: greetingExtensions()).run()
