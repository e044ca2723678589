import Foundation
package import Platform
package import Scalars
package import TLS
import Tables

/// The server's certificate and key files.
package struct TLSFiles: Sendable {
    let certificate: ConfiguredPath
    let key: ConfiguredPath

    /// The number of days before a certificate expires from which there is a warning.
    static let daysOfWarning: Int64 = 14

    /// Reads the current certificate and key.
    package func read() throws(ConfigurationFault) -> TLSIdentity {
        let (chain, secret) = (try certificate.read(), try key.read())
        do throws(TLSFault) {
            return try TLSIdentity(chain: chain, key: secret)
        } catch {
            switch error {
            case .key, .keyWithPassword, .otherKey: throw key.written.fault("\(key.path) \(error)")
            case .certificate, .unusableCertificate: throw certificate.written.fault("\(certificate.path) \(error)")
            case .plainHTTP, .flood, .protocolError:
                throw certificate.written.fault("can't be used: \(error)")
            }
        }
    }

    /// Returns a state by which changes to the files are detected.
    package func state() -> [FileState] { [certificate, key].map { FileState($0.path) } }

    /// Returns problems of a certificate that don't prevent its use.
    /// - Parameter publicURL: where clients expect the server.
    package func warnings(of identity: TLSIdentity, at now: Instant, publicURL: String?) -> [ConfigurationFault] {
        var sentences: [String] = []
        let (now, validity) = (now.milliseconds / 1_000, identity.validity)
        if now > validity.upperBound {
            sentences.append("has been invalid since \(Self.day(validity.upperBound)): clients refuse it")
        } else if now < validity.lowerBound {
            sentences.append("is not valid before \(Self.day(validity.lowerBound)): clients refuse it")
        } else if now > validity.upperBound - Self.daysOfWarning * 86_400 {
            sentences.append("is valid until \(Self.day(validity.upperBound)) only")
        }
        if let host = publicURL.flatMap({ URL(string: $0)?.host(percentEncoded: false) }), !identity.isFor(host: host) {
            sentences.append("is not for \(host), the host of publicUrl: clients refuse it")
        }
        return sentences.map { certificate.written.fault("the certificate in \(certificate.path) \($0)") }
    }

    /// Returns the UTC date of a second since 1970.
    package static func day(_ second: Int64) -> String {
        String(Date(timeIntervalSince1970: TimeInterval(second)).formatted(.iso8601).prefix(10))
    }
}

extension Setting {
    static let tls: [Setting] = [
        Setting("tls.certificate") { value, configuration throws(ConfigurationFault) in
            configuration.tlsPaths.certificate = ConfiguredPath(try value.text(), in: value)
        },
        Setting("tls.key") { value, configuration throws(ConfigurationFault) in
            configuration.tlsPaths.key = ConfiguredPath(try value.text(), in: value)
        },
    ]
}
