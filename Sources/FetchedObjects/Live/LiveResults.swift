/// The results of a store, by query.
typealias LiveResults = SharedResults<LiveResult>
