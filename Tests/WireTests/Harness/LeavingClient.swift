import Foundation

/// A client that is gone with the last byte of its request.
///
/// It is a process of its own: one that the tests' process starts at that moment holds copies of its descriptors for a while,
/// by which a connection of a test would still be there, and take the answer in.
enum LeavingClient {
    struct Failure: Error {
        let status: Int32
    }

    /// Sends a request that leaves with the end of the connection, in one packet.
    static func send(_ request: String, to port: UInt16) throws {
        let script = """
            import socket, sys
            connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
            connection.sendall(sys.argv[2].encode(), getattr(socket, "MSG_MORE", 0))
            connection.close()
            """
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script, "\(port)", request]
        try process.run()
        while process.isRunning { usleep(2_000) }
        guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    }
}
