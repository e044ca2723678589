import Foundation
import Platform

/// A path as an operator wrote it.
struct ConfiguredPath: Sendable {
    /// The path to open. In a file, paths are relative to that file's folder.
    let path: String
    let written: ConfigurationValue

    init(_ path: String, in value: ConfigurationValue) {
        written = value
        if case .file(let file, _) = value.origin, !path.hasPrefix("/") {
            self.path = (file as NSString).deletingLastPathComponent + "/" + path
        } else {
            self.path = path
        }
    }

    /// The maximum size of a file in bytes: no certificate chain comes near it.
    private static let longestFile = 1 << 20

    func read() throws(ConfigurationFault) -> [UInt8] {
        if ReadObstacle.isAbsent(path) { throw written.fault("there is no file \(path)") }
        if let obstacle = ReadObstacle.sentence(about: path) { throw written.fault("\(path) \(obstacle)") }
        // With a pipe, the server would wait for whatever writes to it.
        guard FileState.isRegular(path) else { throw written.fault("\(path) is no file") }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw written.fault("\(path) can't be read: the server's user needs the right to")
        }
        guard let data = try? file.read(upToCount: Self.longestFile), !data.isEmpty else {
            throw written.fault("\(path) is empty")
        }
        return Array(data)
    }
}
