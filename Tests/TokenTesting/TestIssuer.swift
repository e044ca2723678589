import Crypto
import Foundation

/// Somebody else who signs tokens about users, with Ed25519.
struct TestIssuer {
    private let key = Curve25519.Signing.PrivateKey()

    /// The public key as issuers publish it.
    var keySet: String {
        #"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"\#(Self.text(key.publicKey.rawRepresentation))"}]}"#
    }

    /// - Parameter claims: members of a JSON object.
    func token(_ claims: String) throws -> String {
        let message = Self.text(Data(#"{"alg":"EdDSA"}"#.utf8)) + "." + Self.text(Data("{\(claims)}".utf8))
        return message + "." + Self.text(try key.signature(for: Data(message.utf8)))
    }

    private static func text(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
