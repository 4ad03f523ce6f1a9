import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { ComponentChildren } from 'preact';
import { CommandRefused } from '../../commands/command-refused.ts';
import { fillPath, redirectGet } from '../../web/redirect-get.ts';
import { addFlash, type Flash, type Message } from '../../web/session/flash.ts';
import { Confirm, type ConfirmProps } from './confirm.tsx';
import { type FieldError, findError, toRefusalError } from './field-errors.ts';
import { Notice } from './flash-messages.tsx';
import {
  findReplaced,
  hashStored,
  hashValues,
  listReplaced,
  type StoredValues,
} from './opened-values.ts';
import type { PageView } from './page.tsx';
import { saveInTurn } from './save-in-turn.ts';
import { sendPage } from './send-page.tsx';

/** Redirect with a message for the page that it leads to. */
export interface Redirect {
  readonly redirectTo: string;
  readonly message: Flash | null;
}

/** Answer of a route; `undefined` if the handler sent one itself, such as a file. */
export type Reply = PageView | Redirect | undefined;

export type Route = (router: Router) => void;

type Handler<Result> = (req: Request, res: Response) => Result | Promise<Result>;
type Guards = RequestHandler | readonly RequestHandler[];

export const createRouter = (...routes: readonly Route[]): Router => {
  const router = Router();
  for (const addTo of routes) addTo(router);
  return router;
};

export const redirect = (
  redirectTo: string,
  message?: string | Message,
  kind: Flash['kind'] = 'success',
  link?: Flash['link'],
): Redirect => ({
  redirectTo,
  message: message === undefined ? null : { kind, ...toMessage(message), link },
});

const toMessage = (message: string | Message) =>
  typeof message === 'string' ? { text: message } : message;

export const page =
  (path: string, guards: Guards, show: Handler<Reply>): Route =>
  (router) => {
    router.get(path, listGuards(guards), answer(show));
  };

/** POST whose handler answers each outcome itself. */
export const post =
  (path: string, guards: Guards, handle: Handler<Reply>): Route =>
  (router) => {
    router.post(path, listGuards(guards), answer(handle));
  };

/** GET of a form's POST-only address (Back button, bookmark): leads to the page with the form. */
export const backToForm =
  (path: string, guards: Guards, to: string): Route =>
  (router) => {
    router.get(path, listGuards(guards), redirectGet(to));
  };

/** A GET (Back button, bookmark) and a refused command return to the page with the button. */
export const action =
  (path: string, guards: Guards, back: string, run: Handler<Reply>): Route =>
  (router) => {
    backToForm(path, guards, back)(router);
    router.post(
      path,
      listGuards(guards),
      answer((req, res) => catchRefusal(() => run(req, res), fillPath(back, req))),
    );
  };

export interface Question extends Omit<ConfirmProps, 'action' | 'cancel'> {
  readonly title: string;
  readonly tabTitle?: string;
}

export interface QuestionRoute<Loaded> {
  /** Loads what the question is about; a redirect if there is nothing to ask. */
  readonly load: Handler<Loaded | Redirect>;
  /** Page for canceling and for the message of a refused command. */
  readonly back: (loaded: Loaded) => string;
  readonly ask: (loaded: Loaded, req: Request, res: Response) => Question;
  /** Guard of the POST that has the person confirm who they are. */
  readonly stepUp?: RequestHandler;
  /**
   * Stored values that the page names, and those that its answer sets. If others have set different
   * ones since it was opened, it asks again. For questions with more than one possible answer.
   */
  readonly replaces?: (loaded: Loaded) => Readonly<Record<'saved' | 'target', object>>;
  readonly run: (loaded: Loaded, req: Request, res: Response) => Reply | Promise<Reply>;
}

/** GET asks, POST acts. */
export const question =
  <Loaded,>(path: string, guards: Guards, route: QuestionRoute<Loaded>): Route =>
  (router) => {
    const { load, back, ask, run, replaces } = route;
    const show = (loaded: Loaded, req: Request, res: Response, isAgain: boolean): PageView => {
      const { title, tabTitle, ...confirm } = ask(loaded, req, res);
      return {
        title,
        ...(tabTitle !== undefined && { tabTitle }),
        ...(isAgain && { status: 409 }),
        ...(replaces !== undefined && { openedHash: hashValues({ ...replaces(loaded).saved }) }),
        children: (
          <>
            {isAgain && (
              <Notice kind="warning" id="question-outdated">
                This changed after you opened the page, so nothing was done. Read it again before
                you continue.
              </Notice>
            )}
            <Confirm {...confirm} action={req.path} cancel={back(loaded)} />
          </>
        ),
      };
    };
    router
      .get(
        path,
        listGuards(guards),
        answer(async (req, res) => {
          const loaded = await load(req, res);
          return isRedirect(loaded) ? loaded : show(loaded, req, res, false);
        }),
      )
      .post(
        path,
        listGuards(guards, route.stepUp),
        answer(async (req, res) => {
          const loaded = await load(req, res);
          if (isRedirect(loaded)) return loaded;
          const { saved, target } = replaces?.(loaded) ?? { saved: {}, target: {} };
          return listReplaced(req, { ...target }, { ...saved }).length > 0
            ? show(loaded, req, res, true)
            : catchRefusal(() => run(loaded, req, res), back(loaded));
        }),
      );
  };

export interface FormRoute<Loaded, Values> {
  /** Loads what the form is about; a redirect if there is nothing to change. */
  readonly load: Handler<Loaded | Redirect>;
  readonly title: string | ((loaded: Loaded) => string);
  /** Tab title if the title names a person. */
  readonly tabTitle?: string;
  /** Values of the form when it is opened. */
  readonly open: (loaded: Loaded, req: Request, res: Response) => Values;
  readonly read: (req: Request) => Values;
  /**
   * Stored values that saving replaces, by the names of their fields; `null` if it creates something.
   * If others changed one after the form was opened, the form is shown again before it is saved.
   */
  readonly replaces: StoredValues<Values> | null;
  readonly view: (values: Values, loaded: Loaded, res: Response) => ComponentChildren;
  /** Errors of typed secrets, which a page that shows the form again does not contain. */
  readonly askAgain?: (req: Request) => readonly FieldError[];
  /** Name of the field to which the message of a refused command belongs. */
  readonly placeRefusal?: (refused: CommandRefused) => string;
  readonly stepUp?: RequestHandler;
  /** Address of the POST if it is not that of the GET. */
  readonly postTo?: string;
  /** Address of the page that shows this form among others; its own GET leads there. */
  readonly parentPage?: string;
  /** Address of the page with errors, so that a reload does not resend the form. */
  readonly returnTo?: string;
  readonly save: (
    values: Values,
    loaded: Loaded,
    req: Request,
    res: Response,
  ) => SavedForm | Promise<SavedForm>;
}

type SavedForm = Reply | readonly FieldError[];

/** GET shows the form, POST saves it or shows it again with its errors. */
export const form =
  <Loaded, Values>(path: string, guards: Guards, route: FormRoute<Loaded, Values>): Route =>
  (router) => {
    const { load, title, tabTitle, open, read, replaces, view, save, placeRefusal, parentPage } =
      route;
    const show = (
      req: Request,
      res: Response,
      values: Values,
      loaded: Loaded,
      found: readonly FieldError[],
    ): PageView => {
      const secrets = found.length === 0 ? [] : (route.askAgain?.(req) ?? []);
      const errors = [
        ...found,
        ...secrets.filter(({ field }) => findError(found, field) === undefined),
      ];
      return {
        title: typeof title === 'string' ? title : title(loaded),
        ...(tabTitle !== undefined && { tabTitle }),
        errors,
        ...(errors.length > 0 && { returnTo: route.returnTo }),
        ...(replaces !== null && { openedHash: hashStored(replaces, open(loaded, req, res)) }),
        children: view(values, loaded, res),
      };
    };
    if (parentPage === undefined)
      router.get(
        path,
        listGuards(guards),
        answer(async (req, res) => {
          const loaded = await load(req, res);
          return isRedirect(loaded) ? loaded : show(req, res, open(loaded, req, res), loaded, []);
        }),
      );
    else backToForm(path, guards, parentPage)(router);
    const post = async (req: Request, res: Response): Promise<Reply> => {
      const loaded = await load(req, res);
      if (isRedirect(loaded)) return loaded;
      const values = read(req);
      const replaced =
        replaces === null ? [] : findReplaced(req, replaces, values, open(loaded, req, res));
      if (replaced.length > 0) return { ...show(req, res, values, loaded, replaced), status: 409 };
      try {
        const saved = await save(values, loaded, req, res);
        return isErrors(saved) ? show(req, res, values, loaded, saved) : saved;
      } catch (error) {
        if (!(error instanceof CommandRefused) || placeRefusal === undefined) throw error;
        const refusal = toRefusalError(placeRefusal(error), error);
        return show(req, res, values, loaded, [refusal]);
      }
    };
    router.post(
      route.postTo ?? path,
      listGuards(guards, route.stepUp),
      answer((req, res) =>
        replaces === null ? post(req, res) : saveInTurn(res, req.path, () => post(req, res)),
      ),
    );
  };

/** For forms and questions about nothing but the practice. */
export const loadNothing = (): null => null;

const answer =
  (handle: Handler<Reply>): RequestHandler =>
  async (req, res) => {
    const reply = await handle(req, res);
    if (reply === undefined) return;
    if (!isRedirect(reply)) {
      sendPage(req, res, reply);
      return;
    }
    const { message, redirectTo } = reply;
    if (message !== null) addFlash(req, message);
    res.redirect(303, redirectTo);
  };

/** Turns a refused command into a message on the page that the person came from. */
const catchRefusal = async (run: () => Reply | Promise<Reply>, back: string): Promise<Reply> => {
  try {
    return await run();
  } catch (error) {
    if (error instanceof CommandRefused) return redirect(back, error.message, 'error');
    throw error;
  }
};

const listGuards = (guards: Guards, stepUp?: RequestHandler): RequestHandler[] => [
  ...[guards].flat(),
  ...(stepUp === undefined ? [] : [stepUp]),
];

const isRedirect = (reply: unknown): reply is Redirect =>
  typeof reply === 'object' && reply !== null && 'redirectTo' in reply;

const isErrors = (saved: SavedForm): saved is readonly FieldError[] => Array.isArray(saved);
