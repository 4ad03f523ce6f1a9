/** The log is unavailable or did not respond in time. An append may or may not have been stored. */
export class EventLogUnavailable extends Error {
  override readonly name: string = 'EventLogUnavailable';
}

/** The log reported that it could not store an append before the deadline. */
export class EventLogTooSlow extends EventLogUnavailable {
  override readonly name: string = 'EventLogTooSlow';
}

/**
 * The log permanently rejected a request because of a bug or a setting: the append is too large or forbidden,
 * or its stream was deleted.
 */
export class EventLogRefused extends Error {
  override readonly name: string = 'EventLogRefused';
}

/**
 * The log rejected the registry's credentials. The message names the setting that the operator has to fix.
 */
export class EventLogAccessDenied extends EventLogRefused {
  override readonly name: string = 'EventLogAccessDenied';
}

/** Event that does not match the JSON Schema of its type. The message names the type and the path. */
export class EventInvalid extends Error {
  override readonly name = 'EventInvalid';
}
