import HTTPModel
import Tables
import Testing
import ZumoProtocol

@testable import AuthAPI

@Suite struct `What a login says of a database` {
    @Test func `that has no room is other than of one that is away`() {
        let full = ErrorResponse(LoginFault.storage(.full))
        #expect(full.code == .storageFull && full.status == .insufficientStorage && full.isOutage)
        let away = ErrorResponse(LoginFault.storage(.unavailable(detail: "gone")))
        #expect(away.code == .databaseAway && away.status == .serviceUnavailable && away.isOutage)
    }
}
