/** Version of the service and its contract, equal to the one in `package.json`. */
export const SERVICE_VERSION = '0.3.0';
