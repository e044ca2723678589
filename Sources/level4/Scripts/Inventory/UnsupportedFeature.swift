/// What projects have that this server doesn't do, and that guards or stores something: it keeps the server from starting
/// unless an operator says that it is known. The worker finds it, by the same names.
public enum UnsupportedFeature: String, Sendable, CaseIterable {
    /// HTTPS that asked for certificates of clients.
    case clientCertificates = "client-certificates"
    /// A function that kept the rows.
    case dataProvider = "data-provider"
    /// A script or a level that devices of a Mobile Service had to pass to register for push.
    case pushRegistration = "push-registration"
    /// A part of the SDK that isn't here.
    case sdkModule = "sdk-module"
    /// A second application that listened, or a second listener of one server.
    case secondApplication = "second-application"
    /// What a Mobile Service's startup script added to its application.
    case startupApp = "startup-app"
    /// A transaction over several texts of SQL.
    case transaction
    /// Whatever takes connections over.
    case webSockets = "websockets"
}
