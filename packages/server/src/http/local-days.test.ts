import { expect, it } from "vitest";
import { lastDays } from "./local-days.ts";

const HOUR = 60 * 60 * 1_000;
const iso = (moment: number | undefined) => new Date(moment ?? 0).toISOString();

it("days begin at midnight of the zone, before and after the clocks go back", () => {
  const days = lastDays(3, Date.parse("2026-10-26T12:00:00Z"), "Europe/Berlin");
  expect(days.map(({ since }) => iso(since))).toEqual([
    "2026-10-23T22:00:00.000Z",
    "2026-10-24T22:00:00.000Z",
    "2026-10-25T23:00:00.000Z",
  ]);
  expect(days.map(({ since, until }) => (until - since) / HOUR)).toEqual([24, 25, 24]);
});

it.each([
  ["2026-03-29T21:59:00Z", "Europe/Berlin", "2026-03-28T23:00:00.000Z"],
  ["2026-03-29T22:00:00Z", "Europe/Berlin", "2026-03-29T22:00:00.000Z"],
  ["2026-01-01T03:00:00Z", "America/New_York", "2025-12-31T05:00:00.000Z"],
  ["2026-01-01T03:00:00Z", "Asia/Kathmandu", "2025-12-31T18:15:00.000Z"],
  // Here the clocks skip midnight, so the day begins at one o'clock.
  ["2026-04-24T10:00:00Z", "Africa/Cairo", "2026-04-23T22:00:00.000Z"],
  // Here the clocks go back from one o'clock to midnight, so the day begins at the first midnight.
  ["2021-10-29T10:00:00Z", "Asia/Amman", "2021-10-28T21:00:00.000Z"],
  // Here the clocks went back from midnight to eleven o'clock, so the day began an hour later.
  ["2024-03-24T10:00:00Z", "America/Asuncion", "2024-03-24T04:00:00.000Z"],
  ["2026-01-01T00:30:00Z", "UTC", "2026-01-01T00:00:00.000Z"],
])("at %s, today in %s began at %s", (now, zone, began) => {
  expect(iso(lastDays(1, Date.parse(now), zone)[0]?.since)).toBe(began);
});
