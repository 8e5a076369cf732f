@_exported public import EntityStore
@_exported public import FetchedObjects
@_exported public import FoundationSupport
@_exported public import ListDiffing
@_exported public import Relays
@_exported public import SQLitePersistence
