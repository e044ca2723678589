import HTTPModel
import Scalars
import Tables
import ZumoProtocol

/// What an answered request reveals about the installation that sent it.
enum DeviceObservation {
    /// - Returns: nil if no installation sent it, or if it neither wrote nor listed rows: reading a single row isn't
    ///   part of a sync, and should cost nothing here.
    static func sighting(of event: RequestEvent, by clock: Clock) -> DeviceSighting? {
        guard event.group == .tables, let operation = event.answer.operation,
            operation != .read || event.answer.response.itemCount != nil
        else { return nil }
        let status = event.answer.response.status.rawValue
        let isConflict = operation != .read && (status == 409 || status == 412)
        // A sender who was not let in could use any names, and fill the table with them.
        guard status < 400 || isConflict, let installation = event.request.fields["X-ZUMO-INSTALLATION-ID"],
            let table = event.answer.table.flatMap({ Identifier($0) }),
            let key = DeviceSighting.Key(installation: installation, table: table)
        else { return nil }
        let (answer, fields, now) = (event.answer, event.request.fields, clock())
        return DeviceSighting(
            key, seenAt: now, pull: operation == .read ? pull(by: event, at: now) : nil,
            pushedAt: operation == .read ? nil : now, conflicts: isConflict ? 1 : 0,
            sdk: fields["X-ZUMO-VERSION"] ?? fields["User-Agent"], generation: answer.caller?.generation.name ?? "",
            user: answer.caller?.user)
    }

    private static func pull(by event: RequestEvent, at now: Instant) -> DeviceSighting.Pull? {
        let response = event.answer.response
        let isServices = event.answer.caller?.generation == .v1
        guard let rows = response.itemCount,
            let query = event.answer.unfolded.map({ PullQuery($0, inServices: isServices) })
                ?? PullQuery(event.request.target, inServices: isServices)
        else { return nil }
        var stamp = query.start
        if query.isInOrder, rows > 0, case .bytes(let body) = response.body,
            let last = LastStamp.find(in: body, inServices: isServices)
        {
            stamp = max(stamp ?? last, last)
        }
        return DeviceSighting.Pull(at: now, stamp: stamp, rows: Int64(rows))
    }
}
