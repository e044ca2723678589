import Testing

/// Where the bundle of tests starts. SwiftPM writes one itself from an index of the sources, whose making is a fifth of the
/// build, in search of tests by XCTest: there are none.
@main struct Tests {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
