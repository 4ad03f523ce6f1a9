import { emptyTransfer, type Transfer } from '../../domain/course/course.ts';

export const buildTransfer = (stated: Partial<Transfer>): Transfer => ({
  ...emptyTransfer(),
  ...stated,
});
