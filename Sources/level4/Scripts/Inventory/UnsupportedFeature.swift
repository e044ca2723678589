/// A feature of projects that this server doesn't have, and that guards or stores something: the server doesn't start
/// unless an operator allows it. The worker detects it, using the same names.
public enum UnsupportedFeature: String, Sendable, CaseIterable {
    /// HTTPS with client certificates.
    case clientCertificates = "client-certificates"
    /// A function that stored the rows.
    case dataProvider = "data-provider"
    /// A script or an access level for devices of a Mobile Service that register for push messages.
    case pushRegistration = "push-registration"
    /// A part of the SDK that doesn't exist here.
    case sdkModule = "sdk-module"
    /// A second application that listens, or a second listener of one server.
    case secondApplication = "second-application"
    /// Additions of a Mobile Service's startup script to its application.
    case startupApp = "startup-app"
    /// A transaction across several SQL texts.
    case transaction
    /// Code that takes over connections.
    case webSockets = "websockets"
}
