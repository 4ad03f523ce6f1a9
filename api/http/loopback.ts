const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export const isLoopback = (host: string): boolean => LOOPBACK_HOST.test(host) || host === '::1';
