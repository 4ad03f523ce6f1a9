/** Names of this machine for itself. */
const LOOPBACK = ['127.0.0.0/8', '::1', 'localhost'];

/**
 * Keeps what listens on this machine from being asked through a proxy. Where `http_proxy` or `https_proxy`
 * is set, gRPC takes every connection through it, the one to the embedded node as well: it would be
 * asked for an address that is its own. What to leave alone it reads in the environment, before each connection.
 */
export const bypassProxyForLoopback = (): void => {
  const { no_grpc_proxy, no_proxy = '' } = process.env;
  const listed = (no_grpc_proxy || no_proxy).split(',').filter((host) => host !== '');
  process.env['no_grpc_proxy'] = [...new Set([...listed, ...LOOPBACK])].join(',');
};
