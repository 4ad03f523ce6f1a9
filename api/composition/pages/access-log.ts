import type { Router } from 'express';
import { findAccessIn } from '../../../adapters/postgres/queries/access-log.ts';
import { listMembersIn } from '../../../adapters/postgres/queries/members.ts';
import { nameRecordsIn } from '../../../adapters/postgres/queries/named-records.ts';
import { accessLogRouter } from '../../pages/access-log/access-log-router.tsx';
import type { SharedParts } from '../parts.ts';

/** Wires the pages of the access log to the read tables. */
export const accessLogPagesOf = ({ stores: { db }, accessNotes }: SharedParts): Router =>
  accessLogRouter({
    findAccess: findAccessIn(db),
    listMembers: listMembersIn(db),
    nameRecords: nameRecordsIn(db),
    accessNotes,
  });
