import Foundation
package import Platform
package import Scalars
package import TLS
import Tables

/// The server's certificate and key files.
package struct TLSFiles: Sendable {
    let certificate: ConfiguredPath
    let key: ConfiguredPath

    /// From how many days before its end on a certificate is warned of.
    static let daysOfWarning: Int64 = 14

    /// The current certificate and key in the files.
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

    /// What shows that a file has changed.
    package func state() -> [FileState] { [certificate, key].map { FileState($0.path) } }

    /// What is wrong with a certificate although it can be shown.
    /// - Parameter publicURL: where clients look for the server.
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

    /// The day of a second since 1970, in UTC.
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
