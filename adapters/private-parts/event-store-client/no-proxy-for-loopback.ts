const LOOPBACK = ['127.0.0.0/8', '::1', 'localhost'];

/** gRPC reads its exceptions from the environment before each connection. */
export const bypassProxyForLoopback = (): void => {
  const { no_grpc_proxy, no_proxy = '' } = process.env;
  const listed = (no_grpc_proxy || no_proxy).split(',').filter((host) => host !== '');
  process.env['no_grpc_proxy'] = [...new Set([...listed, ...LOOPBACK])].join(',');
};
