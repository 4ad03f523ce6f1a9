/** Version of the service and of its contract; the one of `package.json`. */
export const SERVICE_VERSION = '0.2.0';
