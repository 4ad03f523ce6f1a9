const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text is a UUID as the registry writes them: in lower case, of any version. @see RFC 9562 */
export const isUuid = (text: string): boolean => UUID.test(text);
