/** The log did not answer in time or is away: whether an append happened is unknown. */
export class EventLogUnavailable extends Error {
  override readonly name: string = 'EventLogUnavailable';
}

/** The log answered that it could not store an append in the time that it was given. */
export class EventLogTooSlow extends EventLogUnavailable {
  override readonly name: string = 'EventLogTooSlow';
}

/** The log refused a request for good: a larger, deleted or forbidden append; a bug or a setting. */
export class EventLogRefused extends Error {
  override readonly name: string = 'EventLogRefused';
}

/** The log refused the registry's account. The message is for the operator: it names the setting. */
export class EventLogAccessDenied extends EventLogRefused {
  override readonly name: string = 'EventLogAccessDenied';
}

/** An event does not fit the JSON Schema of its type. The message names the type and the place. */
export class EventInvalid extends Error {
  override readonly name = 'EventInvalid';
}
