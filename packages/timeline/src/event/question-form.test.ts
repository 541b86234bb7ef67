import { expect, it } from "vitest";
import { formAnswer, formFields } from "./question-form.ts";

const form = {
  type: "object",
  properties: {
    name: { type: "string", title: "Your name", description: "As on the bill" },
    count: { type: "integer", default: 2 },
    gift: { type: "boolean", default: false },
    size: { type: "string", enum: ["s", "m"], enumNames: ["Small", "Medium"] },
    colour: { type: "string", oneOf: [{ const: "r", title: "Red" }] },
    extras: { type: "array", items: { anyOf: [{ const: "bag", title: "A bag" }, { const: "box" }] }, default: ["bag"] },
  },
  required: ["name"],
};

it("a form has a field for each kind of value, with its title, choices and default", () => {
  const fields = formFields({ message: "?", form });
  expect(fields.map(({ name, title, kind, initial, required }) => [name, title, kind, initial, required])).toEqual([
    ["name", "Your name", "text", "", true],
    ["count", "count", "number", "2", false],
    ["gift", "gift", "boolean", "false", false],
    ["size", "size", "choice", "", false],
    ["colour", "colour", "choice", "", false],
    ["extras", "extras", "choices", "bag", false],
  ]);
  expect(fields[3]?.options).toEqual([
    { value: "s", title: "Small" },
    { value: "m", title: "Medium" },
  ]);
});

it("the answer has the type of each field, and leaves out what is empty", () => {
  const fields = formFields({ message: "?", form });
  const typed = { name: " Ada ", count: "3", gift: "yes", size: "Medium", colour: "", extras: "A bag, box" };
  expect(formAnswer(fields, typed)).toEqual({ name: "Ada", count: 3, gift: true, size: "m", extras: ["bag", "box"] });
  expect(formAnswer(fields, { count: "many" })).toEqual({ count: "many" });
});

it("a choice that contains a comma can be given, alone and among others", () => {
  const anyOf = [{ const: "red, white" }, { const: "red" }, { const: "b", title: "Blue, dark" }];
  const fields = formFields({
    message: "?",
    form: { type: "object", properties: { c: { type: "array", items: { anyOf } } } },
  });
  expect(formAnswer(fields, { c: "red, white" })).toEqual({ c: ["red, white"] });
  expect(formAnswer(fields, { c: "red,Blue, dark,red, white" })).toEqual({ c: ["red", "b", "red, white"] });
  expect(formAnswer(fields, { c: "red, green" })).toEqual({ c: ["red", "green"] });
});

it("a question without a form has no fields", () => {
  expect(formFields({ message: "?", url: "https://shop.example/pay" })).toEqual([]);
});
