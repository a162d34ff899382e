/**
 * What comes from the server, as types: the state of play by its top-level keys, and what the page says back.
 *
 * @typedef {{kind: string, code: string, text: string, said: string}} Piece
 * @typedef {{name: string, score: number, key: string, is_bot: boolean, is_connected: boolean, sits_out: boolean, is_due: boolean,
 *   has_called: boolean}} Player
 * @typedef {{to: string, players: number[], text: string, at: number[]}} Prompt
 * @typedef {{number: number, text: string, piece?: Piece | null}} Option
 * @typedef {{id: string, text: string, options: Option[], none: string | null, picture: string | null}} Question
 * @typedef {{field: string, text: string, values: (number | string)[], count: number | null,
 *   form: "value" | "list" | "placings" | "wilds"}} Need
 * @typedef {{id: string, event: string, label: string, player: number | null, needs: Need[], is_said: boolean,
 *   fixed?: Record<string, number | string>}} Choice
 * @typedef {{part: "spread", title: string, columns: number, pieces: (Piece | null)[], places: number[], room: number}} SpreadPart
 * @typedef {{text: string, piece: Piece | null, stress: "none" | "faint" | "good" | "due"}} GridEntry
 * @typedef {{part: "grid", title: string, head: string[], rows: GridEntry[][]}} GridPart
 * @typedef {{part: "hand", player: string, number: number | null, pieces: Piece[], is_numbered: boolean, after: string,
 *   laid: Piece[][], lent: number[]}} HandPart
 * @typedef {SpreadPart | GridPart | HandPart} Part
 * @typedef {{attribute: string, values: string[], is_right: boolean, words: string}} Explained
 * @typedef {{n: number, text: string, at_s: number | null, player: number | null, pieces: Piece[], explain: Explained[] | null,
 *   pictures: string[], notice: string}} LogEntry
 * @typedef {{piece: Piece, confidence: number | null, runner_up: Piece | null, picture: string | null}} Exhibit
 * @typedef {{place: number, name: string, points: number, is_mine: boolean}} Ranked
 * @typedef {{winners: number[], text: string, rank: Ranked[] | null}} Over
 * @typedef {{name: string, won: number, points: number, rounds: number}} Standing
 * @typedef {{outline: [number, number][], tone: string, text: string}} Mark
 * @typedef {{track: number, outline: [number, number][], kind: string, piece: Piece | null, text: string}} Seen
 * @typedef {{size: [number, number], marks: Mark[], pieces: Seen[], remarks: string[], trouble: string,
 *   advice: string[], offer?: {name: string, title: string} | null, source?: string | null}} Camera
 * @typedef {{number: number, name: string, address: string}} AskingPhone  wants to be the camera; the host's page alone is told
 * @typedef {{name: string, text: string, box: [number, number, number, number] | null, is_optional: boolean}} Zone  left, top, right, bottom as
 *   shares of the picture; null where it is not put down
 * @typedef {{level: number, text: string, at: number[]}} Hints
 * @typedef {{player: number, left_s: number, of_s: number, stands: boolean}} Clock
 * @typedef {{elapsed_s: number, limit_s: number | null, is_running: boolean, is_up: boolean}} RoundTime
 *
 * @typedef {{page: "start" | "table" | "over", game: {name: string, title: string} | null, match: number | string | null,
 *   is_camera: boolean, is_filmed: boolean, heard: ("set" | "no_set")[], players: Player[], prompts: Prompt[], notice: string, is_round_over: boolean, is_hurried: boolean, question: Question | null, differ: string, differ_id: string | null,
 *   choices: Choice[], view: Part[], clock: Clock | null, round_clock: RoundTime | null, log: LogEntry[], exhibits: Exhibit[], over: Over | null,
 *   standings: Standing[], camera: Camera | null, asking_phone: AskingPhone | null, lacks_phone: boolean, zones: Zone[] | null, sheet: [string, string][], status: [string, string][],
 *   hints: Hints | null}} Whole
 *
 * @typedef {{seat: string, is_host: boolean, player: number | null, language: string}} Welcome
 * @typedef {{name: string, words: string, kind: "switch" | "number" | "text" | "choice", value: unknown, may_be_left: boolean,
 *   values?: {value: string, words: string}[] | null}} HouseRule
 * @typedef {{name: string, title: string, means: string, values: Record<string, unknown>}} Preset  house rules that go together
 * @typedef {{number: string, text: string}} Rule
 * @typedef {{name: string, title: string, min_players: number, max_players: number, house: HouseRule[],
 *   presets: Preset[], rules: Rule[], pieces: string[]}} Game
 * @typedef {{id: number | string, game: string, title: string, players: string[], scores: number[], is_finished: boolean,
 *   is_camera: boolean, films: number, at: string}} Match
 *
 * @typedef {{die: number, row: number, col: number, stated: string | null}} Placing
 */
export {};
