import { readFileUpTo } from '../../adapters/files/read-file.ts';
import { MAX_BODY_BYTES } from '../../api/http/limits.ts';
import { REQUEST_PROBLEMS } from '../../api/http/problems.ts';
import { RequestProblem } from '../../api/http/request-problem.ts';

/** @throws RequestProblem 413 if the registry would not take it, without reading all of it */
export const readBundleFile = async (file: string): Promise<Buffer> => {
  const content = await readFileUpTo(file, MAX_BODY_BYTES);
  if (content === null) throw new RequestProblem(REQUEST_PROBLEMS['body-too-long']);
  return content;
};
