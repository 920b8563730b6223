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
    <message numerus="yes">
        <source>Stop processing? %n file(s) not done yet.</source>
        <translation>
            <numerusform>Stop processing? %n file is not done yet.</numerusform>
            <numerusform>Stop processing? %n files are not done yet.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more file(s): the window plays one at a time.</source>
        <translation>
            <numerusform>%n more file: the window plays one at a time.</numerusform>
            <numerusform>%n more files: the window plays one at a time.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n core</numerusform>
            <numerusform>%n cores</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) taken off the list</source>
        <translation>
            <numerusform>%n file taken off the list</numerusform>
            <numerusform>%n files taken off the list</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Agreement, 1 is complete: {value}, the median of %n frame(s) that were compared</source>
        <translation>
            <numerusform>Agreement, 1 is complete: {value}, of %n frame that was compared</numerusform>
            <numerusform>Agreement, 1 is complete: {value}, the median of %n frames that were compared</numerusform>
        </translation>
    </message>
</context>
</TS>
