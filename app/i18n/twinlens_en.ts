<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name></name>
    <message numerus="yes">
        <source>%n picture(s)</source>
        <translation>
            <numerusform>%n picture</numerusform>
            <numerusform>%n pictures</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Screenshot and %n layer(s) saved</source>
        <translation>
            <numerusform>Screenshot and %n layer saved</numerusform>
            <numerusform>Screenshot and %n layers saved</numerusform>
        </translation>
    </message>
</context>
</TS>
