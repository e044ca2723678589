import Foundation
public import Operating

/// The credentials that `zumod import --from` sends to the other server, wherever the operator keeps them.
public struct RemoteSecrets: Sendable {
    /// `NAME: VALUE` each.
    public let headers: [String]
    /// For `X-ZUMO-AUTH`; nil if none is given.
    public let token: String?

    /// - Parameters:
    ///   - headers: `NAME: VALUE`, or `@FILE` for the lines of a file.
    ///   - token: the token on the command line.
    ///   - tokenFile: a file with the token.
    ///   - environment: the token in the environment, used if neither of the others is given.
    /// - Throws: `file` if one of the files can't be read.
    public init(
        headers: [String], token: String?, tokenFile: String?, environment: String?
    ) throws(CommandFault) {
        var all: [String] = []
        for header in headers {
            if header.hasPrefix("@") {
                all += try Self.lines(of: String(header.dropFirst()))
            } else {
                all.append(header)
            }
        }
        self.headers = all
        if let tokenFile {
            guard let line = try Self.lines(of: tokenFile).first else { throw .file("\(tokenFile) holds no token") }
            self.token = line
        } else {
            let given = environment?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
            self.token = token ?? (given.isEmpty ? nil : given)
        }
    }

    /// Returns the lines that aren't blank, trimmed.
    private static func lines(of path: String) throws(CommandFault) -> [String] {
        let bytes = try FileBytes(path)
        try bytes.skip([0xEF, 0xBB, 0xBF])
        var lines: [String] = []
        while let line = try bytes.line(limit: longestLine) {
            let text = String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\t" }.joined(separator: " ")
            guard line.count <= longestLine else { throw .file("\(path) has a line longer than \(longestLine) bytes") }
            if !text.isEmpty { lines.append(text) }
        }
        return lines
    }

    private static let longestLine = 16_384
}
